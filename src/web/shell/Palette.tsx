import { Modal } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect } from 'react'
import { t } from '../texts/index.ts'

const opening = 'palette'
const load = () => import('./PaletteBox.tsx')
const PaletteBox = lazy(() => load().then((item) => ({ default: item.PaletteBox })))

export const palette = { open: () => window.dispatchEvent(new Event(opening)) }

/** Goes anywhere by typing. What is in it is loaded once the page stands, so that it is there when it is wanted. */
export function Palette() {
  const [isOpen, { open, close }] = useDisclosure()
  useHotkeys([['mod+K', open]], [])
  useHotkeys([['/', open]])
  useEffect(() => {
    window.addEventListener(opening, open)
    return () => window.removeEventListener(opening, open)
  }, [open])
  useEffect(() => {
    const timer = setTimeout(() => void load(), 1000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Modal.Root opened={isOpen} onClose={close} size="lg" yOffset="10dvh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t.app.palette.label}>
        <Modal.Body p={0}>
          <Suspense>
            <PaletteBox close={close} />
          </Suspense>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
