import { onDemand } from '../../../ui/on-demand.tsx'
import { useRowMenu } from './open.ts'

const OpenRowMenu = onDemand(() =>
  import('./OpenRowMenu.tsx').then(({ OpenRowMenu }) => OpenRowMenu),
)

/** The open row menu. */
export function RowMenu() {
  const anchor = useRowMenu()
  return anchor && <OpenRowMenu anchor={anchor} />
}
