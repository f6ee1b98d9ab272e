import { type AnswerFields, objectsIn, textField } from './fields.ts'

/** Addresses in answers over MCP: complete the first time, later only the name. */
export class Addresses {
  readonly #emails = new Map<string, string>()

  /** Each as `Ann Doe <ann@example.com>`. */
  describe(addresses: unknown): string[] {
    return objectsIn(addresses).map((address) => this.#describe(address))
  }

  #describe({ name, email }: AnswerFields): string {
    const [called, at] = [textField(name), textField(email)]
    if (called === undefined) return at ?? ''
    if (at !== undefined) this.#emails.set(called, at)
    const knownEmail = at ?? this.#emails.get(called)
    return knownEmail === undefined ? called : `${called} <${knownEmail}>`
  }
}
