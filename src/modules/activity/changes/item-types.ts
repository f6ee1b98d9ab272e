import { invalid } from '../../../kernel/refusal.ts'
import { itemResources } from '../../../records/resource.ts'

/** @throws Refusal invalid_argument for unknown item types */
export function knownTypes(types: readonly string[]): readonly string[] {
  const typeNames = itemResources().map((itemResource) => itemResource.definition.type)
  const unknown = types.find((type) => !typeNames.includes(type))
  if (unknown !== undefined)
    throw invalid(
      'types',
      `${JSON.stringify(unknown)} is not an item type.`,
      `Available: ${typeNames.join(', ')}.`,
    )
  return types
}
