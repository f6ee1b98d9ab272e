import type { Id } from '../../../kernel/ids.ts'
import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { operation } from '../../../operations/operation.ts'
import { page } from '../access.ts'
import { visibleNodes } from './access-tree.ts'
import { inScope, scopes } from './pages.ts'

/** A page in a tree; `children` only to the requested depth. */
interface Branch {
  id: string
  title: string
  icon?: string | undefined
  depth: number
  child_count: number
  children: Branch[]
}

const Branch: z.ZodType<Branch> = shape('PageBranch', {
  id: z.string(),
  title: z.string(),
  icon: z.string().optional(),
  depth: z.int(),
  child_count: z.int(),
  get children() {
    return z.array(Branch)
  },
})

const PageTree = shape('PageTree', {
  nodes: z.array(Branch),
  cut_at_depth: z.boolean(),
  truncated: z
    .strictObject({ reason: z.string(), bytes: z.int(), how_to_continue: z.string() })
    .optional(),
})

export const getPageTree = operation({
  name: 'get_page_tree',
  searchHint: 'table of contents, wiki structure, outline of the space, hierarchy, sitemap',
  kind: 'read',
  rest: 'GET /api/pages/tree',
  about: 'Page tree (titles and ids) below a page or of the whole space, to a given depth',
  on: {
    root: page.see.maybe.describe('default: pages without a parent you can see'),
  },
  input: {
    scope: z.enum(scopes).optional(),
    depth: z.int().min(1).max(100).default(3).describe('levels below the root'),
  },
  output: PageTree,
  async handle({ root, scope, depth }, ctx) {
    const nodes = await visibleNodes(ctx, root?.id, (pages) => inScope(ctx, pages, scope))
    const ids = new Set<string>(nodes.map((item) => item.id))
    const childrenByParent = Map.groupBy(nodes, (item) =>
      item.parent_id !== null && ids.has(item.parent_id) ? item.parent_id : (root?.id ?? null),
    )
    let isCut = false
    const branches = (parentId: string | null, level: number): Branch[] =>
      (childrenByParent.get(parentId as Id<'pages'> | null) ?? []).map(({ id, title, icon }) => {
        const count = childrenByParent.get(id)?.length ?? 0
        if (level === depth && count > 0) isCut = true
        return omitNullish({
          id,
          title,
          icon,
          depth: level,
          child_count: count,
          children: level < depth ? branches(id, level + 1) : [],
        })
      })
    return { nodes: branches(root?.id ?? null, 1), cut_at_depth: isCut }
  },
})
