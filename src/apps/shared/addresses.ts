import { type AnswerFields, objectsIn, textField } from './fields.ts'

/** Addresses in answers over MCP, which contain the email only the first time, later only the name. */
export class Addresses {
  readonly #emails = new Map<string, string>()

  /** Each as `Ann Doe <ann@example.com>`. */
  describe(addresses: unknown): string[] {
    return objectsIn(addresses).map((address) => this.#describe(address))
  }

  #describe({ name, email }: AnswerFields): string {
    const [displayName, givenEmail] = [textField(name), textField(email)]
    if (displayName === undefined) return givenEmail ?? ''
    if (givenEmail !== undefined) this.#emails.set(displayName, givenEmail)
    const knownEmail = givenEmail ?? this.#emails.get(displayName)
    return knownEmail === undefined ? displayName : `${displayName} <${knownEmail}>`
  }
}
