import { request } from 'node:http'

/** The answer to an upload. */
export interface UploadAnswer {
  status: number
  json: any
}

/** PUTs pieces, one after the other. */
export function putPieces(
  url: string,
  pieces: Iterable<Buffer>,
  headers: Record<string, string> = {},
): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const out = request(url, { method: 'PUT', headers }, (answer) => {
      const parts: Buffer[] = []
      answer
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () =>
          resolve({
            status: answer.statusCode!,
            json: JSON.parse(Buffer.concat(parts).toString() || 'null'),
          }),
        )
    })
    out.on('error', reject)
    void (async () => {
      for (const piece of pieces)
        if (!out.write(piece)) await new Promise((go) => out.once('drain', go))
      out.end()
    })()
  })
}
