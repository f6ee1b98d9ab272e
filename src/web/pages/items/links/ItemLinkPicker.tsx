import { useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { linkTexts as words } from '../../../texts/en/company/links.ts'
import type { ItemReference } from '../../../ui/ItemLink.tsx'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import { linkTo, senses, senseText, type ShownLink } from './data.ts'
import { isLinkable } from './linkable.ts'
import { itemChoice, useItemChoices } from './useItemChoices.tsx'

interface ItemLinkPickerProps {
  item: ItemReference
  links: readonly ShownLink[]
  /** The item to link to; undefined: chosen first. */
  other: ItemReference | undefined
  chooseOther: (other: ItemReference) => void
  anchor: Element
  close: () => void
}

/** Chooses the other item, then the kind of link. */
export function ItemLinkPicker(props: ItemLinkPickerProps) {
  const { item, links, other, chooseOther, anchor, close } = props
  if (other === undefined)
    return <OtherItem item={item} anchor={anchor} close={close} choose={chooseOther} />
  const existingSenses = links.filter((link) => link.item.id === other.id).map(senseText)
  const choices = senses
    .map((sense) => ({ value: sense, label: senseText(sense) }))
    .filter(({ label }) => !existingSenses.includes(label))
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={words.how(other.title)}
      choices={(query) => filterChoices(choices, query)}
      choose={(sense) => void linkTo(item, other, sense)}
    />
  )
}

interface OtherItemProps {
  item: ItemReference
  anchor: Element
  choose: (other: ItemReference) => void
  close: () => void
}

/** Items that match the typed text; before typing, related items. */
function OtherItem({ item, anchor, choose, close }: OtherItemProps) {
  const [searchText, setSearchText] = useState('')
  const itemChoices = useItemChoices(searchText, [item.id])
  const related = useOperation('find_related_items', { item_id: item.id, limit: 8 })
  const relatedChoices = (related.data?.items ?? [])
    .filter(({ item: other, links }) => links === undefined && isLinkable(other.id))
    .map(({ item: other }) => itemChoice(other))
  return (
    <Picker
      anchor={anchor}
      close={close}
      label={words.search}
      choices={(query) => (query === '' ? relatedChoices : itemChoices)}
      onQuery={setSearchText}
      choose={choose}
    />
  )
}
