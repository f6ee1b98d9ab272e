import '@mantine/core/styles.css'
import '@fontsource-variable/inter/wght.css'
import './tokens.css'
import './styles.css'
import './nonce.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { setSessionHandlers } from './api/client.ts'
import { queries } from './api/queries.ts'
import { nonce } from './nonce.ts'
import { router } from './router.tsx'
import { sessionKey } from './session/session.ts'
import { theme } from './theme.ts'
import { CornerHost } from './ui/CornerHost.tsx'

setSessionHandlers({
  onSignedOut: () => {
    queries.setQueryData(sessionKey, { signed_in: false, hasEnded: true })
    void router.invalidate() // the guard of the pages sends to the sign-in
  },
})

/** Not needed for the first render. */
const StoreHost = lazy(() =>
  import('./store/StoreHost.tsx').then(({ StoreHost }) => ({ default: StoreHost })),
)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Suspense>
          <StoreHost />
        </Suspense>
      </QueryClientProvider>
      <CornerHost />
    </MantineProvider>
  </StrictMode>,
)
