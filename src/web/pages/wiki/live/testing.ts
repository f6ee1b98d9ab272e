import { ChangeSet } from '@codemirror/state'
import { applyTextChanges } from '../../../../kernel/text/text-changes.ts'
import type { LiveText, TakenStep } from '../../../editor/live/live-text.ts'
import { EventParser } from '../../../store/stream/event-source.ts'
import { LiveSession, type LiveTimes, type LiveTransport } from './session.ts'

/** A random number below `n`, the same for the same seed. */
export function seeded(seed: number): (n: number) => number {
  let state = seed + 1
  return (n) => {
    state = (state * 1664525 + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

/** A person signed in at a server. */
export interface Person {
  url(): string
  cookie(): string
  post(path: string, body: unknown): Promise<{ status: number; text: string; json: unknown }>
}

/** A connection with simulated failures. */
interface Line {
  isDown: boolean
  /** The server processes requests, but responses are lost. */
  losesAnswers: boolean
  cut: () => void
}

const times: LiveTimes = { pause: 2, maxDelay: 10, retries: [2, 5, 10, 20] }

/** A person editing a page through the real server, without a browser. */
export class Writer {
  readonly line: Line = { isDown: false, losesAnswers: false, cut: () => {} }
  readonly session: LiveSession
  /** Text of an editor, which changes only by notifications. */
  shown: string

  constructor(at: { person: Person; pageId: string }, text: LiveText, pace = times) {
    this.shown = text.text
    let names = 0
    const writerId = `${Math.random()}`.slice(2)
    const transport = transportOf(at, this.line, () => `${writerId}-edit-number-${names++}`)
    const change = (changes: ChangeSet) => {
      this.shown = applyTextChanges(this.shown, changes)
    }
    this.session = new LiveSession(text, transport, { change, update: () => {} }, pace)
  }

  /** Replaces a range. */
  type(from: number, to: number, insert: string): void {
    const changes = ChangeSet.of({ from, to, insert }, this.shown.length, '\n')
    this.shown = applyTextChanges(this.shown, changes)
    this.session.type(changes)
  }
}

function transportOf(
  { person, pageId }: ConstructorParameters<typeof Writer>[0],
  line: Line,
  name: () => string,
): LiveTransport {
  const lost = { status: 0, message: 'The connection is down.' }
  return {
    name,
    async send(step) {
      if (line.isDown) throw lost
      const isLost = line.losesAnswers
      const answer = await person.post(`/web/pages/${pageId}/steps`, step).catch(() => {
        throw lost
      })
      if (isLost || line.isDown) throw lost
      if (answer.status !== 200) throw { status: answer.status, message: answer.text }
      return answer.json as { revision: number; steps: TakenStep[] }
    },
    follow(since, on) {
      const abort = new AbortController()
      let isOver = false
      const end = (status: number) => {
        if (isOver) return
        isOver = true
        abort.abort()
        on.ended(status)
      }
      line.cut = () => end(0)
      const run = async () => {
        if (line.isDown) return end(0)
        const response = await fetch(
          `${person.url()}/web/pages/${pageId}/steps/stream?since=${since}`,
          {
            headers: {
              accept: 'text/event-stream',
              cookie: person.cookie(),
            },
            signal: abort.signal,
          },
        )
        if (!response.ok || !response.body) return end(response.status)
        on.opened()
        const parser = new EventParser(({ event, data }) => {
          if (line.isDown) end(0) // what was on its way is lost, and all after it
          if (isOver) return
          if (event === 'step') on.step(JSON.parse(data) as TakenStep)
          else if (event === 'reset') on.reset()
          else if (event === 'gone') on.onGone()
        })
        for await (const text of response.body.pipeThrough(new TextDecoderStream()))
          parser.push(text)
        end(200)
      }
      run().catch(() => end(0))
      return () => {
        isOver = true
        abort.abort()
      }
    },
  }
}

/** The position after a token, so that no token is split. */
export function positionAfterToken(text: string, at: number): number {
  const open = text.lastIndexOf('«', at - 1)
  const close = text.lastIndexOf('»', at - 1)
  const place = open > close ? text.indexOf('»', at) + 1 : at
  return /[\udc00-\udfff]/.test(text.charAt(place)) ? place - 1 : place
}
