import type { Input, OperationName } from '../../../api/client.ts'
import { invalidateOperations } from '../../../api/queries.ts'
import { write, type WriteResult } from '../../../store/index.ts'

/** Operations whose results can change with the graph. */
const affectedOperations = [
  'search_entities',
  'get_entity',
  'list_facts',
  'list_conflicting_facts',
  'get_entity_neighbors',
  'get_entity_timeline',
  'find_entity_path',
  'get_knowledge_overview',
] as const

/** Changes the knowledge graph, and reloads the displayed parts. */
export async function changeGraph<N extends OperationName>(
  name: N,
  input: Input<N>,
  text: string,
): Promise<WriteResult<N>> {
  const result = await write(name, input, { text })
  await invalidateOperations(...affectedOperations)
  return result
}
