import { z } from 'zod'
import { parseNetworks } from '../kernel/networks.ts'

/** One setting: the source of the `serve` flag, the environment variable, the default and the documentation. */
export interface Setting<T> {
  env: string
  flag: string
  type: z.ZodType<T>
  default: () => T
  help: string
}

export function setting<T>(
  definition: Omit<Setting<T>, 'default'> & { default: T | (() => T) },
): Setting<T> {
  const value = definition.default
  return { ...definition, default: typeof value === 'function' ? (value as () => T) : () => value }
}

/** Comma-separated addresses and networks, parsed by `parseNetworks`. */
export const networkList = z
  .string()
  .refine(
    (text) => parseNetworks(text) !== undefined,
    'must be a list such as 127.0.0.1,10.0.0.0/8,fd00::/8',
  )
export const wholeNumber = z.coerce.number().int()
export const yesNoType = z.union([z.boolean(), z.stringbool()], { error: 'must be yes or no' })
