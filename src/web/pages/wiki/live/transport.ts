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
        throw failureOf(error)
      }
    },
    follow: (since, on) =>
      followStream(
        `/web/pages/${encodeURIComponent(pageId)}/steps/stream?since=${since}`,
        undefined,
        {
          opened: on.opened,
          event({ event, data }) {
            if (event === 'step') on.step(JSON.parse(data) as LiveStep)
            else if (event === 'reset') on.reset()
            else if (event === 'gone') on.onGone()
          },
          ended: on.ended,
        },
      ),
    name: randomId,
  }
}

function failureOf(error: unknown): LiveFailure {
  if (error instanceof ApiError) return { status: error.status, message: error.message }
  return { status: 0, message: String(error) }
}
