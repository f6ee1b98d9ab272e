import { post } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { followStream } from '../../../store/stream/event-source.ts'
import { randomId } from '../../../store/stream/tabs.ts'
import type { LiveFailure, LiveTransport } from './session.ts'
import type { LiveStep } from './steps.ts'

export function pageTransport(pageId: string): LiveTransport<LiveStep> {
  return {
    async send(step) {
      try {
        return await post('/web/pages/:id/steps', {
          id: pageId,
          ...step,
          changes: step.changes as LiveStep['changes'],
        })
      } catch (error) {
        throw toFailure(error)
      }
    },
    follow: (since, handlers) =>
      followStream(
        `/web/pages/${encodeURIComponent(pageId)}/steps/stream?since=${since}`,
        undefined,
        {
          onOpen: handlers.onOpen,
          onEvent({ event, data }) {
            if (event === 'step') handlers.onStep(JSON.parse(data) as LiveStep)
            else if (event === 'reset') handlers.onReset()
            else if (event === 'gone') handlers.onGone()
          },
          onEnd: handlers.onEnd,
        },
      ),
    createEditId: randomId,
  }
}

function toFailure(error: unknown): LiveFailure {
  if (error instanceof ApiError) return { status: error.status, message: error.message }
  return { status: 0, message: String(error) }
}
