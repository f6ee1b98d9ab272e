import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ownAddress, sessionKey, type SignedIn } from './session.ts'

/** Continues as the person who has just signed in; clears data loaded for another person. */
export function useEntering(): (session: SignedIn, to: unknown) => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return async (session, to) => {
    client.clear()
    client.setQueryData(sessionKey, session)
    await router.navigate({ href: ownAddress(to), replace: true })
  }
}
