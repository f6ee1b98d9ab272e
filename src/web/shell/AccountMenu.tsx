import { useSignedIn } from '../session/session.ts'
import { t } from '../texts/index.ts'
import { MenuButton } from '../ui/actions/MenuButton.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { Face } from '../ui/work/Who.tsx'
import styles from './shell.module.css'

const OpenAccountMenu = onDemand(
  () => import('./OpenAccountMenu.tsx').then(({ OpenAccountMenu }) => OpenAccountMenu),
  ({ button }) => button,
)

/** Signed-in person, with the account menu. */
export function AccountMenu() {
  const { person } = useSignedIn()
  return (
    <MenuButton menu={OpenAccountMenu}>
      <button
        type="button"
        className={styles.account}
        title={person.name}
        aria-label={t.app.account(person.name)}
      >
        <Face id={person.id} name={person.name} size={22} />
      </button>
    </MenuButton>
  )
}
