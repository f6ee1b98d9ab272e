import '@mantine/notifications/styles.css'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'

export { modals } from '@mantine/modals'
export { notifications } from '@mantine/notifications'

const mounting = Promise.withResolvers<void>()
/** Resolves once it is mounted and can receive content. */
export const mounted = mounting.promise

/** Host of all notices and questions, whatever their origin. */
export function Corner() {
  useEffect(mounting.resolve, [])
  return (
    <ModalsProvider>
      <Notifications position="bottom-right" />
    </ModalsProvider>
  )
}
