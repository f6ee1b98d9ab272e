// The process of the encoder (process.ts): loads the model, then computes one vector after another.

import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { Encoder } from './encoder.ts'
import { modelFiles } from './model-files.ts'
import type { HostMessage, EncoderHostOptions, HostRequest } from './protocol.ts'

process.on('disconnect', () => process.exit(0)) // the server has ended, or needs this process no longer
lowerPriority()
run(JSON.parse(process.argv.at(-1) ?? '{}') as EncoderHostOptions).catch(fail)

async function run({ threads }: EncoderHostOptions): Promise<void> {
  const encoder = await Encoder.load(modelFiles(), threads)
  process.on('message', ({ text }: HostRequest) => {
    encoder.embed(text).then((vector) => send({ vector }), fail)
  })
  await send({ isReady: true })
}

/** Lets the server go first, and makes the kernel end this process before it where memory runs out. */
function lowerPriority(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // not Linux, or not permitted
  }
}

function send(message: HostMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()))
}

/** Reports a failure before the process ends: the server starts another. */
async function fail(error: unknown): Promise<void> {
  await send({ failure: error instanceof Error ? error.message : String(error) })
  process.exit(1)
}
