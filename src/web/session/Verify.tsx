import { useEffect, useState } from 'react'
import { guardWith } from '../api/client.ts'
import { onDemand } from '../ui/on-demand.tsx'

const VerifyDialog = onDemand(() =>
  import('./VerifyDialog.tsx').then(({ VerifyDialog }) => VerifyDialog),
)

interface Request {
  isOpen: boolean
  answer: Promise<boolean>
  settle: (isGiven: boolean) => void
}

/** Asks for verification when the server requires it, then lets the request continue. */
export function Verify() {
  const [request, setRequest] = useState<Request>()
  useEffect(() => {
    let open: Request | undefined
    const ask = (): Request => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const request: Request = {
        isOpen: true,
        answer: promise,
        settle: (isGiven) => {
          open = undefined
          setRequest({ ...request, isOpen: false }) // it stays there to give the focus back
          resolve(isGiven)
        },
      }
      setRequest(request)
      return request
    }
    guardWith({
      verify: () => {
        open ??= ask()
        return open.answer
      },
    })
  }, [])
  return request && <VerifyDialog isOpen={request.isOpen} end={request.settle} />
}
