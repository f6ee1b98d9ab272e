import { isatty } from 'node:tty'

/**
 * Resolves at the first stop signal; the second one exits at once. SIGHUP reloads files unless it means that the
 * server's terminal was closed.
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
