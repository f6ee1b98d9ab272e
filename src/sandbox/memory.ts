import { totalmem } from 'node:os'

const megabyte = 2 ** 20

/**
 * Computes the memory available to reader processes on this machine or container: at 1 GiB 256 MB each, and 512 MB
 * together.
 */
export function memoryBudget(available = machineMemory()): {
  perProcess: number
  total: number
} {
  const perProcess = Math.max(192, Math.min(512, Math.floor(available / 4)))
  return { perProcess, total: Math.max(perProcess, Math.min(1536, Math.floor(available / 2))) }
}

/** Memory in megabytes: the limit of the container or systemd unit, or that of the machine. */
function machineMemory(): number {
  const total = totalmem()
  const constrained = process.constrainedMemory()
  return Math.floor((constrained > 0 ? Math.min(constrained, total) : total) / megabyte)
}

let reserved = 0
const queue: { megabytes: number; grant: () => void }[] = []

/** Waits for free memory for a task, in order of arrival; resolves to a function that releases it. */
export function reserve(megabytes: number): Promise<() => void> {
  return new Promise((resolve) => {
    queue.push({
      megabytes,
      grant: () => {
        reserved += megabytes
        let isReleased = false
        resolve(() => {
          if (!isReleased) reserved -= megabytes
          isReleased = true
          grantNext()
        })
      },
    })
    grantNext()
  })
}

function grantNext(): void {
  const { total } = memoryBudget()
  for (
    let first = queue[0];
    first && (reserved === 0 || reserved + first.megabytes <= total);
    first = queue[0]
  ) {
    queue.shift()
    first.grant()
  }
}
