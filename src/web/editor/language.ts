import { defineLanguageFacet, Language, languageDataProp } from '@codemirror/language'
import { GFM, parser, type BlockContext, type Line, type MarkdownConfig } from '@lezer/markdown'

/** `[[Title]]` and `[[page|words]]`. */
const wikiLinks: MarkdownConfig = {
  defineNodes: ['WikiLink', 'WikiLinkMark'],
  parseInline: [
    {
      name: 'WikiLink',
      before: 'Link',
      parse(cx, next, pos) {
        if (next !== 91 || cx.char(pos + 1) !== 91) return -1
        const match = /^\[\[[^\][\n]{1,500}\]\]/.exec(cx.slice(pos, Math.min(cx.end, pos + 504)))
        if (!match) return -1
        const end = pos + match[0].length
        return cx.addElement(
          cx.elt('WikiLink', pos, end, [
            cx.elt('WikiLinkMark', pos, pos + 2),
            cx.elt('WikiLinkMark', end - 2, end),
          ]),
        )
      },
    },
  ],
}

/** Values between two lines of `---` at the start of a text. */
const frontMatter: MarkdownConfig = {
  defineNodes: [{ name: 'FrontMatter', block: true }],
  parseBlock: [
    {
      name: 'FrontMatter',
      before: 'HorizontalRule',
      parse(cx: BlockContext, line: Line) {
        if (cx.lineStart !== 0 || !/^---\s*$/.test(line.text)) return false
        while (cx.nextLine() && !/^---\s*$/.test(line.text));
        const end = cx.lineStart + line.text.length
        cx.addElement(cx.elt('FrontMatter', 0, end))
        cx.nextLine()
        return true
      },
    },
  ],
}

const data = defineLanguageFacet({})

/** Markdown with GitHub's extensions, links between pages and front matter. */
export const markdownLanguage = new Language(
  data,
  parser.configure([
    GFM,
    wikiLinks,
    frontMatter,
    { props: [languageDataProp.add((type) => (type.isTop ? data : undefined))] },
  ]),
  [],
  'markdown',
)
