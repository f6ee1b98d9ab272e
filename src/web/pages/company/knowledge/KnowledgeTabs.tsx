import { knowledgeTexts } from '../../../texts/en/company/knowledge.ts'
import { PageTabs } from '../PlaceTabs.tsx'

const { tabs: words } = knowledgeTexts
const tabs = [
  { to: '/knowledge', label: words.entities },
  { to: '/knowledge/conflicts', label: words.conflicts },
  { to: '/knowledge/path', label: words.path },
] as const

/** Tabs of the knowledge graph. */
export function KnowledgeTabs() {
  return <PageTabs label={words.label} tabs={tabs} />
}
