/** Log lines: one JSON object a line, UTC. Nothing that a caller sent goes in but names and ids. */
export interface Log {
  info(message: string, more?: Record<string, unknown>): void
  warn(message: string, more?: Record<string, unknown>): void
  error(message: string, more?: Record<string, unknown>): void
}

export function lineLog(write: (line: string) => void): Log {
  const line = (level: string) => (message: string, more: Record<string, unknown> = {}) =>
    write(`${JSON.stringify({ at: new Date().toISOString(), level, message, ...more })}\n`)
  return { info: line('info'), warn: line('warn'), error: line('error') }
}
