// Text of attachments and blocks of a Slack message, in Slack's own markup (mrkdwn). Programs put most of their text
// there. Their format is known only from Slack's documentation, so each value is checked before use.

type Item = Readonly<Record<string, unknown>>

const maxDepth = 6
const maxItems = 200

/** Distinct texts of a message besides `text`; those already in `text` are omitted. */
export function partTexts(text: string, attachments: unknown, blocks: unknown): string[] {
  const seen = [comparable(text)]
  const isRepeated = (part: string) => {
    const key = comparable(part)
    return key === '' || seen.some((other) => other.includes(key))
  }
  const parts: string[] = []
  for (const part of [...blockTexts(blocks), ...items(attachments).flatMap(attachmentTexts)]) {
    if (isRepeated(part)) continue
    seen.push(comparable(part))
    parts.push(part)
  }
  return parts
}

/** Only letters and digits: formatting differs between `text` and blocks. */
function comparable(text: string): string {
  return text
    .replaceAll(/<[^<>|]*\|([^<>]*)>/g, '$1')
    .replaceAll(/&(amp|lt|gt);/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function attachmentTexts(attachment: Item): string[] {
  const title = textAt(attachment, 'title')
  const link = textAt(attachment, 'title_link') || textAt(attachment, 'from_url')
  const texts = [
    textAt(attachment, 'pretext'),
    textAt(attachment, 'author_name'),
    title && bold(linked(title, link)),
    textAt(attachment, 'text'),
    ...items(attachment.fields).map(fieldText),
    ...blockTexts(attachment.blocks),
  ].filter(Boolean)
  const image = textAt(attachment, 'image_url')
  return [
    ...(texts.length === 0 ? [textAt(attachment, 'fallback')] : texts),
    image && linked('Image', image),
    textAt(attachment, 'footer'),
  ].filter(Boolean)
}

function fieldText(field: Item): string {
  const [title, value] = [textAt(field, 'title'), textAt(field, 'value')]
  return title && value ? `${bold(`${title}:`)} ${value}` : title || value
}

function blockTexts(blocks: unknown): string[] {
  return items(blocks)
    .flatMap(textsOfBlock)
    .filter((text) => text.trim() !== '')
}

function textsOfBlock(block: Item): string[] {
  switch (block.type) {
    case 'header':
      return [bold(objectText(block.text))]
    case 'rich_text':
      return items(block.elements).map((element) => richText(element, 0))
    case 'image':
    case 'video': {
      const name = objectText(block.title) || textAt(block, 'alt_text') || 'Image'
      return [linked(name, textAt(block, 'title_url') || textAt(block, 'image_url'))]
    }
    case 'actions':
      return items(block.elements).flatMap((button) => {
        const url = textAt(button, 'url')
        return url ? [linked(objectText(button.text), url)] : []
      })
    case 'context':
      return [items(block.elements).map(contextText).filter(Boolean).join(' ')]
    default:
      return [objectText(block.text), ...items(block.fields).map(objectText)]
  }
}

function contextText(element: Item): string {
  return objectText(element) || textAt(element, 'alt_text')
}

/** The text of a text object, or of a plain string. */
function objectText(value: unknown): string {
  if (typeof value === 'string') return value
  if (!isItem(value)) return ''
  const text = textAt(value, 'text')
  return value.type === 'plain_text' ? escaped(text) : text
}

/** A rich text element as markup. */
function richText(element: Item, depth: number): string {
  if (depth > maxDepth) return ''
  const inner = () => items(element.elements).map((item) => richText(item, depth + 1))
  switch (element.type) {
    case 'rich_text_list':
      return inner()
        .map((item) => `• ${item}`)
        .join('\n')
    case 'rich_text_quote':
      return `> ${inner().join('').replaceAll('\n', '\n> ')}`
    case 'rich_text_preformatted':
      return `\`\`\`\n${inner().join('')}\n\`\`\``
    case 'link':
      return linked(textAt(element, 'text'), textAt(element, 'url'))
    case 'user':
      return `<@${textAt(element, 'user_id')}>`
    case 'channel':
      return `<#${textAt(element, 'channel_id')}>`
    case 'usergroup':
      return `<!subteam^${textAt(element, 'usergroup_id')}>`
    case 'broadcast':
      return `<!${textAt(element, 'range')}>`
    case 'emoji':
      return `:${textAt(element, 'name')}:`
    case 'date':
      return textAt(element, 'fallback')
    case 'text':
      return styled(escaped(textAt(element, 'text')), element.style)
    default:
      return inner().join('')
  }
}

function styled(text: string, style: unknown): string {
  if (!isItem(style) || text.trim() === '') return text
  const marks = [
    ['bold', '*'],
    ['italic', '_'],
    ['strike', '~'],
    ['code', '`'],
  ] as const
  return marks.reduce(
    (marked, [name, mark]) => (style[name] === true ? `${mark}${marked}${mark}` : marked),
    text,
  )
}

const bold = (text: string) => (text.trim() === '' || text.includes('\n') ? text : `*${text}*`)

function linked(text: string, url: string): string {
  if (!/^https?:\/\/[^\s<>|]+$/.test(url)) return text
  return text && text !== url ? `<${url}|${text.replaceAll(/[<>|\n]/g, ' ')}>` : `<${url}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function items(value: unknown): Item[] {
  return Array.isArray(value) ? value.slice(0, maxItems).filter(isItem) : []
}

function textAt(item: Item, key: string): string {
  const value = item[key]
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value : ''
}
