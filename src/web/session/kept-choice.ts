import { useLocalStorage } from '@mantine/hooks'
import { useSignedIn } from './session.ts'

/**
 * Display preference of a person: one of several choices, by default the first. This browser stores it for each
 * person.
 */
export function useStoredChoice<C extends string>(name: string, choices: readonly [C, ...C[]]) {
  const { person } = useSignedIn()
  const [storedChoice, storeChoice] = useLocalStorage<string>({
    key: `workspace.${name} ${person.id}`,
    defaultValue: choices[0],
    getInitialValueInEffect: false,
  })
  const currentChoice = choices.find((choice) => choice === storedChoice) ?? choices[0]
  return [currentChoice, (choice: C) => storeChoice(choice)] as const
}
