import { pino, type DestinationStream } from 'pino'

/** Log lines: one JSON object per line, in UTC. Of the caller's input, only names and ids are included. */
export interface Log {
  /** Logs details that matter only for debugging. */
  debug?(message: string, more?: Record<string, unknown>): void
  info(message: string, more?: Record<string, unknown>): void
  warn(message: string, more?: Record<string, unknown>): void
  error(message: string, more?: Record<string, unknown>): void
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** A log with a level that can be changed at run time. */
export interface LeveledLog extends Required<Log> {
  setLevel(level: LogLevel): void
}

/** Keys of values that are never logged, even if passed by mistake. */
const redactedPaths = [
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  'key_text',
  'api_key',
  'setup_url',
].flatMap((name) => [name, `*.${name}`, `headers["${name}"]`, `*.headers["${name}"]`])

/** An API key anywhere in a line, including error messages. Its identifying prefix stays, for finding it. */
const apiKey = /svc_([0-9A-Za-z]{8})[0-9A-Za-z]{53}/g
const token = /(wat|wrt|wac|wcs|wsc)_[0-9A-Za-z]{49}/g

/** A log that writes each line synchronously, so that the last one before a crash is not lost. */
export function lineLog(write: (line: string) => void, level: LogLevel = 'info'): LeveledLog {
  const destination: DestinationStream = {
    write: (line) =>
      write(
        /(svc|wat|wrt|wac|wcs|wsc)_/.test(line)
          ? line.replace(apiKey, 'svc_$1…').replace(token, '$1_…')
          : line,
      ),
  }
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[redacted]' },
    },
    destination,
  )
  const logAtLevel =
    (level: LogLevel) =>
    (message: string, more: Record<string, unknown> = {}) =>
      logger[level](more, message)
  return {
    debug: logAtLevel('debug'),
    info: logAtLevel('info'),
    warn: logAtLevel('warn'),
    error: logAtLevel('error'),
    setLevel: (next) => void (logger.level = next),
  }
}
