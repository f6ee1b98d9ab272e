import { useLocalStorage } from '@mantine/hooks'
import { useSignedIn } from './session.ts'

/**
 * Display preference of a person: one of several choices, by default the first. This browser stores it for each
 * person.
 */
export function useKeptChoice<C extends string>(name: string, choices: readonly [C, ...C[]]) {
  const { person } = useSignedIn()
  const [kept, keep] = useLocalStorage<string>({
    key: `workspace.${name} ${person.id}`,
    defaultValue: choices[0],
    getInitialValueInEffect: false,
  })
  const chosen = choices.find((choice) => choice === kept) ?? choices[0]
  return [chosen, (choice: C) => keep(choice)] as const
}
