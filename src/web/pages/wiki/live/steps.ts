import type { PostOutput } from '../../../api/client.ts'
import type { RemoteAuthor } from '../../../editor/remote-names.ts'
import { assistants } from '../../../texts/en/assistants.ts'

/** A step as received from the server. */
export type LiveStep = PostOutput<'/web/pages/:id/steps'>['steps'][number]

/** Author of a step, as displayed by an editor. */
export function stepAuthor({ author, key_name, via_key }: LiveStep): RemoteAuthor {
  if (!via_key) return { id: author.id, name: author.title, isAssistant: false }
  return {
    id: `${author.id} key`,
    name: key_name ?? assistants.ofOwner(author.title),
    isAssistant: true,
  }
}
