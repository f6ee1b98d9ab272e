// The thread with which tests inspect a reader process.

import { Refusal } from '../kernel/refusal.ts'
import { serveTasks } from './reader-server.ts'

const tasks = {
  sum: ({ bytes, times }: { bytes: Uint8Array; times: number }) => ({
    sum: times * bytes.reduce((sum, byte) => sum + byte, 0),
  }),
  spin: (_: object): void => {
    for (;;);
  },
  growHeap: (_: object): void => {
    for (const retained: unknown[] = []; ; )
      retained.push(Array.from({ length: 1000 }, (_, i) => ({ i })))
  },
  growBuffers: (_: object): void => {
    for (const retained: unknown[] = []; ; ) retained.push(new Uint8Array(2 ** 20).fill(1))
  },
  nest: (_: object): number => {
    const deeper = (depth: number): number => depth + deeper(depth + 1)
    return deeper(0)
  },
  exit: (_: object): void => process.exit(0),
  refuse: (_: object): void => {
    throw new Refusal('too_large', 'Too many rows.', { field: 'content' })
  },
  count: async function* ({
    limit,
  }: {
    limit: number
  }): AsyncGenerator<[number, number], { made: number }> {
    let yielded = 0
    for (let i = 0; i < limit; i++) yield [i, yielded++]
    return { made: yielded }
  },
  environment: (_: object): string[] => Object.keys(process.env),
}

export type ProbeTasks = typeof tasks

serveTasks(tasks)
