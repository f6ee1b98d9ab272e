import { ChangeSet } from '@codemirror/state'
import { applyTextChanges } from '../../../../kernel/text/text-changes.ts'
import type { LiveText, ServerStep } from '../../../editor/live/live-text.ts'
import { EventParser } from '../../../store/stream/event-source.ts'
import { LiveSession, type LiveTimes, type LiveTransport } from './session.ts'

/** A random number below `n`, the same for the same seed. */
export function seededRandom(seed: number): (limit: number) => number {
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
interface SimulatedConnection {
  isDown: boolean
  /** The server processes requests, but responses are lost. */
  losesAnswers: boolean
  cut: () => void
}

const times: LiveTimes = { pauseMs: 2, maxDelayMs: 10, retryDelaysMs: [2, 5, 10, 20] }

/** A person editing a page through the real server, without a browser. */
export class Writer {
  readonly connection: SimulatedConnection = { isDown: false, losesAnswers: false, cut: () => {} }
  readonly session: LiveSession
  /** Text of an editor, which changes only by notifications. */
  editorText: string

  constructor(target: { person: Person; pageId: string }, text: LiveText, pace = times) {
    this.editorText = text.text
    let editCount = 0
    const writerId = `${Math.random()}`.slice(2)
    const transport = createTransport(
      target,
      this.connection,
      () => `${writerId}-edit-number-${editCount++}`,
    )
    const change = (changes: ChangeSet) => {
      this.editorText = applyTextChanges(this.editorText, changes)
    }
    this.session = new LiveSession(text, transport, { onChange: change, onUpdate: () => {} }, pace)
  }

  /** Replaces a range. */
  type(from: number, to: number, insert: string): void {
    const changes = ChangeSet.of({ from, to, insert }, this.editorText.length, '\n')
    this.editorText = applyTextChanges(this.editorText, changes)
    this.session.type(changes)
  }
}

function createTransport(
  { person, pageId }: ConstructorParameters<typeof Writer>[0],
  connection: SimulatedConnection,
  createEditId: () => string,
): LiveTransport {
  const connectionError = { status: 0, message: 'The connection is down.' }
  return {
    createEditId,
    async send(step) {
      if (connection.isDown) throw connectionError
      const losesAnswer = connection.losesAnswers
      const answer = await person.post(`/web/pages/${pageId}/steps`, step).catch(() => {
        throw connectionError
      })
      if (losesAnswer || connection.isDown) throw connectionError
      if (answer.status !== 200) throw { status: answer.status, message: answer.text }
      return answer.json as { revision: number; steps: ServerStep[] }
    },
    follow(since, handlers) {
      const controller = new AbortController()
      let hasEnded = false
      const finish = (status: number) => {
        if (hasEnded) return
        hasEnded = true
        controller.abort()
        handlers.onEnd(status)
      }
      connection.cut = () => finish(0)
      const run = async () => {
        if (connection.isDown) return finish(0)
        const response = await fetch(
          `${person.url()}/web/pages/${pageId}/steps/stream?since=${since}`,
          {
            headers: {
              accept: 'text/event-stream',
              cookie: person.cookie(),
            },
            signal: controller.signal,
          },
        )
        if (!response.ok || !response.body) return finish(response.status)
        handlers.onOpen()
        const parser = new EventParser(({ event, data }) => {
          if (connection.isDown) finish(0) // events in flight are lost, and all later ones
          if (hasEnded) return
          if (event === 'step') handlers.onStep(JSON.parse(data) as ServerStep)
          else if (event === 'reset') handlers.onReset()
          else if (event === 'gone') handlers.onGone()
        })
        for await (const text of response.body.pipeThrough(new TextDecoderStream()))
          parser.push(text)
        finish(200)
      }
      run().catch(() => finish(0))
      return () => {
        hasEnded = true
        controller.abort()
      }
    },
  }
}

/** The position after a token, so that no token is split. */
export function positionAfterToken(text: string, position: number): number {
  const openIndex = text.lastIndexOf('«', position - 1)
  const closeIndex = text.lastIndexOf('»', position - 1)
  const adjusted = openIndex > closeIndex ? text.indexOf('»', position) + 1 : position
  return /[\udc00-\udfff]/.test(text.charAt(adjusted)) ? adjusted - 1 : adjusted
}
