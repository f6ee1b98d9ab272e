// Completions for `[[` and `@` in the text of a page.

import { foldTitle } from '../../../kernel/text/order.ts'
import type { Output } from '../../api/client.ts'
import { operationQuery, queries } from '../../api/queries.ts'
import type { MenuSource } from '../../editor/menu/menu.ts'
import type { MenuChoice } from '../../editor/menu/state.ts'
import { write } from '../../store/index.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { rankSuggestions } from '../../ui/work/suggestions.ts'
import { ancestorsOf } from './tree/nodes.ts'
import { readPages, reloadPageTree } from './tree/reading.ts'
import { pageLink, filterByTitle } from './tree/titles.ts'

/** The page whose text is being completed. */
export type CompletedPage = Pick<Output<'get_page'>, 'id' | 'title' | 'visibility'>

const maxChoices = 8
const peopleStaleMs = 60_000

/** Finds pages to link to, the page that could be created, and people to mention. */
export function completionFor(page: CompletedPage): MenuSource {
  return async ({ kind, text }) =>
    kind === 'page' ? pageChoices(page, text.trim()) : personChoices(text.trim())
}

async function pageChoices(page: CompletedPage, query: string): Promise<MenuChoice[]> {
  const pages = (await readPages()).filter((node) => node.id !== page.id)
  const pagesByTitle = Map.groupBy(pages, (node) => foldTitle(node.title))
  const matches = filterByTitle(pages, query).slice(0, maxChoices)
  const choices = matches.map((node) => ({
    key: node.id,
    insert: pageLink(node, pagesByTitle.get(foldTitle(node.title))?.length === 1),
    label: node.title,
    icon: node.icon,
    hint: ancestorsOf(node)
      .map((ancestor) => ancestor.title)
      .join(' / '),
  }))
  const isNew =
    query !== '' &&
    !pagesByTitle.has(foldTitle(query)) &&
    foldTitle(query) !== foldTitle(page.title)
  return isNew ? [...choices, newPage(page, query)] : choices
}

function newPage({ id, visibility }: CompletedPage, title: string): MenuChoice {
  return {
    key: 'new',
    insert: `[[${title}]]`,
    label: wiki.menu.create(title),
    hint: wiki.menu.below,
    onChosen: () => {
      const creation = write(
        'create_page',
        { title, parent_id: id, visibility },
        { text: wiki.made(title) },
      )
      void creation.then(reloadPageTree)
    },
  }
}

async function personChoices(query: string): Promise<MenuChoice[]> {
  const input = { status: 'active', limit: 100, ...(query === '' ? {} : { query }) } as const
  const { items } = await queries.fetchQuery({
    ...operationQuery('list_people', input),
    staleTime: peopleStaleMs,
  })
  return rankSuggestions(items, query, (person) => person.display_name)
    .slice(0, maxChoices)
    .map(({ id, display_name, email }) => ({
      key: id,
      insert: `@${display_name} `,
      label: display_name,
      hint: email,
    }))
}
