import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { toAppPath, sessionKey, type SignedIn } from './session.ts'

/** Continues as the person who has just signed in; clears data loaded for another person. */
export function useEnterSession(): (session: SignedIn, target: unknown) => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return async (session, target) => {
    client.clear()
    client.setQueryData(sessionKey, session)
    await router.navigate({ href: toAppPath(target), replace: true })
  }
}
