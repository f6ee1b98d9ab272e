import { useEffect, useState } from 'react'
import { setSessionHandlers } from '../api/client.ts'
import { onDemand } from '../ui/on-demand.tsx'

const VerifyDialog = onDemand(() =>
  import('./VerifyDialog.tsx').then(({ VerifyDialog }) => VerifyDialog),
)

interface VerificationRequest {
  isOpen: boolean
  result: Promise<boolean>
  finish: (isConfirmed: boolean) => void
}

/** Asks for verification when the server requires it, then lets the request continue. */
export function Verify() {
  const [request, setRequest] = useState<VerificationRequest>()
  useEffect(() => {
    let openRequest: VerificationRequest | undefined
    const createRequest = (): VerificationRequest => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const request: VerificationRequest = {
        isOpen: true,
        result: promise,
        finish: (isConfirmed) => {
          openRequest = undefined
          setRequest({ ...request, isOpen: false }) // stays mounted to return the focus
          resolve(isConfirmed)
        },
      }
      setRequest(request)
      return request
    }
    setSessionHandlers({
      verify: () => {
        openRequest ??= createRequest()
        return openRequest.result
      },
    })
  }, [])
  return request && <VerifyDialog isOpen={request.isOpen} onEnd={request.finish} />
}
