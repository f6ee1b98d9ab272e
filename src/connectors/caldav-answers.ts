import type { DAVResponse } from 'tsdav'
import { DavFailure, davFetch, type DavServer } from './caldav-fetch.ts'
import { ReadingThread, Unreadable } from './reading-thread.ts'

// tsdav parses an answer where it was asked for. What is long is parsed in the thread of readers instead: its XML comes from outside,
// and a list of a hundred thousand events would keep the whole server waiting.

const longAnswer = 100_000
const bounds = { milliseconds: 30_000, megabytes: 600 }

const lists = new ReadingThread()

/** Carries the rows of a long answer past tsdav to whoever asked. */
class Answered extends Error {
  readonly rows: DAVResponse[]

  constructor(rows: DAVResponse[]) {
    super('answered')
    this.rows = rows
  }
}

/** The rows of what a request of tsdav is answered with; `ask` makes the request with the fetch that it gets. @throws DavFailure */
export async function answeredRows(server: DavServer, ask: (fetch_: typeof fetch) => Promise<DAVResponse[]>): Promise<DAVResponse[]> {
  const plain = davFetch(server)
  try {
    return await ask(async (input, init) => {
      const answer = await plain(input, init)
      if (answer.status !== 207) return answer
      const bytes = new Uint8Array(await answer.arrayBuffer())
      if (bytes.byteLength > longAnswer) throw new Answered(await readRows(bytes))
      return new Response(bytes, { status: 207, headers: answer.headers })
    })
  } catch (error) {
    if (error instanceof Answered) return error.rows
    throw error
  }
}

async function readRows(bytes: Uint8Array): Promise<DAVResponse[]> {
  try {
    return await lists.read('dav', { bytes }, bounds)
  } catch (error) {
    if (error instanceof Unreadable) throw new DavFailure(207, `The answer of the server cannot be read: ${error.message}`.slice(0, 300), { cause: error })
    throw error
  }
}
