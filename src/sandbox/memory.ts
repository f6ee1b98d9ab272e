import { totalmem } from 'node:os'

const megabyte = 2 ** 20

/**
 * Computes the memory available to reader processes on this machine or container: at 1 GiB 256 MB each, and 512 MB
 * together.
 */
export function memoryBudget(available = machineMemory()): {
  perProcess: number
  together: number
} {
  const perProcess = Math.max(192, Math.min(512, Math.floor(available / 4)))
  return { perProcess, together: Math.max(perProcess, Math.min(1536, Math.floor(available / 2))) }
}

/** Memory in megabytes: the limit of the container or unit, else that of the machine. */
function machineMemory(): number {
  const total = totalmem()
  const constrained = process.constrainedMemory()
  return Math.floor((constrained > 0 ? Math.min(constrained, total) : total) / megabyte)
}

let reserved = 0
const waiting: { megabytes: number; go: () => void }[] = []

/** Waits for free memory for a task, in order of arrival; resolves to a function that releases it. */
export function reserve(megabytes: number): Promise<() => void> {
  return new Promise((settle) => {
    waiting.push({
      megabytes,
      go: () => {
        reserved += megabytes
        let isReleased = false
        settle(() => {
          if (!isReleased) reserved -= megabytes
          isReleased = true
          advance()
        })
      },
    })
    advance()
  })
}

function advance(): void {
  const { together } = memoryBudget()
  for (
    let first = waiting[0];
    first && (reserved === 0 || reserved + first.megabytes <= together);
    first = waiting[0]
  ) {
    waiting.shift()
    first.go()
  }
}
