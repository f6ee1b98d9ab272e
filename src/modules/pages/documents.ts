import { document } from '../../operations/documents.ts'
import { page } from './access.ts'
import { textOfPage } from './document-text.ts'

/** Maximum number of characters included; the rest of a longer text is read with get_page. */
const maxChars = 60_000

export const pageDocument = document({
  name: 'pages',
  title: 'Page',
  about:
    'One page by its id: location, readers, text, backlinks, and the first 50 unresolved comments',
  resource: page,
  read: { operation: 'get_page', argument: 'page_id', with: { max_chars: maxChars } },
  additional: {
    operation: 'list_page_comments',
    argument: 'page_id',
    with: { resolved: false, limit: 50 },
  },
  searchedColumns: ['pages.title'],
  text: textOfPage,
})
