import { isatty } from 'node:tty'

/**
 * The first signal to stop; the second one does not wait for anything. SIGHUP asks to read files again, but where it means that the
 * terminal was closed in which the server runs.
 */
export function stopSignal(reload: () => void): Promise<string> {
  const hadTerminal = hasTerminal()
  return new Promise((resolve) => {
    let stopping = false
    const stop = (signal: string, number: number) => {
      if (stopping) process.exit(128 + number)
      stopping = true
      resolve(signal)
    }
    process.on('SIGINT', () => stop('SIGINT', 2))
    process.on('SIGTERM', () => stop('SIGTERM', 15))
    process.on('SIGHUP', () => {
      if (!hadTerminal || hasTerminal()) reload()
      else if (!stopping) stop('SIGHUP', 1) // it may come twice, from the shell and from the launcher
    })
  })
}

function hasTerminal(): boolean {
  return [0, 1, 2].some((fd) => isatty(fd))
}
