import { z } from 'zod'

/** One setting: the flag of `serve`, the environment variable, the default and the documentation all come from here. */
export interface Setting<T> {
  env: string
  flag: string
  type: z.ZodType<T>
  default: () => T
  help: string
}

export function setting<T>(
  of: Omit<Setting<T>, 'default'> & { default: T | (() => T) },
): Setting<T> {
  const value = of.default
  return { ...of, default: typeof value === 'function' ? (value as () => T) : () => value }
}

export const whole = z.coerce.number().int()
export const flagType = z.union([z.boolean(), z.stringbool()], { error: 'must be yes or no' })
