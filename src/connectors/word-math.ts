// Formulas of Word documents (Office MathML) as linear text: (a+b)/2, x_i^2, √(x), ∑_(i=1)^n x. Runs in the process of reading.ts.

/** An element of Office MathML; `text` is the direct text of a text run. */
interface MathNode {
  name: string
  attributes: string
  children: MathNode[]
  text: string
}

const maxDepth = 200
const formulaStart = /<m:oMath(?:\s[^<>]*)?>/g
const closing = '</m:oMath>'
/** The lookahead prevents backtracking to shorter names if the tag is not closed. */
const tagOrText = /<(\/?)([\w:.-]+)(?![\w:.-])([^<>]*)>|([^<]+)/g

/** The XML of a document part with each formula replaced by plain text. */
export function withLinearMath(xml: string): string {
  let result = ''
  let position = 0
  for (const match of xml.matchAll(formulaStart)) {
    if (match.index < position) continue
    const end = xml.indexOf(closing, match.index)
    if (end < 0) break
    const inside = xml.slice(match.index + match[0].length, end)
    const text = linearMath(inside).replaceAll(/\s+/g, ' ').trim()
    result += `${xml.slice(position, match.index)}<w:r><w:t xml:space="preserve"> ${text} </w:t></w:r>`
    position = end + closing.length
  }
  const rest = withoutProperties(result + xml.slice(position))
  return rest.replaceAll(/<\/?m:oMathPara(?:\s[^<>]*)?>/g, '')
}

/** Removes the properties of math paragraphs, in one pass however many are unclosed. */
function withoutProperties(xml: string): string {
  const [opening, end] = ['<m:oMathParaPr>', '</m:oMathParaPr>']
  let result = ''
  let position = 0
  for (;;) {
    const start = xml.indexOf(opening, position)
    const stop = start < 0 ? -1 : xml.indexOf(end, start)
    if (stop < 0) return result + xml.slice(position)
    result += xml.slice(position, start)
    position = stop + end.length
  }
}

/** Converts the inside of an Office MathML element to text that is still XML-escaped. */
function linearMath(xml: string): string {
  const root: MathNode = { name: 'm:oMath', attributes: '', children: [], text: '' }
  const openNodes = [root]
  for (const [, end, name, attributes = '', text] of xml.matchAll(tagOrText)) {
    const parent = openNodes.at(-1)!
    if (name === undefined) {
      if (parent.name === 'm:t' || parent.name === 'w:t') parent.text += text
    } else if (end) {
      if (openNodes.length > 1) openNodes.pop()
    } else {
      const node: MathNode = { name, attributes, children: [], text: '' }
      parent.children.push(node)
      if (attributes.endsWith('/')) continue
      if (openNodes.length >= maxDepth) return plainWords(xml)
      openNodes.push(node)
    }
  }
  return render(root)
}

/** Only the words and symbols of a formula that is nested too deeply. */
function plainWords(xml: string): string {
  return [...xml.matchAll(/<[mw]:t(?:\s[^<>]*)?>([^<]*)/g)].map(([, text]) => text).join(' ')
}

function render(node: MathNode): string {
  const inside = (name: string) => childrenOf(node, name).map(render).join('')
  const grouped = (name: string) => group(inside(name))
  const setting = (name: string, fallback: string) => settingOf(node, name) ?? fallback
  switch (node.name) {
    case 'm:t':
    case 'w:t':
      return node.text
    case 'm:f':
      return `${grouped('m:num')}/${grouped('m:den')}`
    case 'm:sSup':
      return `${grouped('m:e')}^${grouped('m:sup')}`
    case 'm:sSub':
      return `${grouped('m:e')}_${grouped('m:sub')}`
    case 'm:sSubSup':
      return `${grouped('m:e')}_${grouped('m:sub')}^${grouped('m:sup')}`
    case 'm:sPre':
      return `_${grouped('m:sub')}^${grouped('m:sup')} ${grouped('m:e')}`
    case 'm:rad':
      return `${inside('m:deg')}√(${inside('m:e')})`
    case 'm:nary':
      return `${setting('m:chr', '∫')}${mathScriptOf('_', grouped('m:sub'))}${mathScriptOf('^', grouped('m:sup'))} ${inside('m:e')}`
    case 'm:d':
      return `${setting('m:begChr', '(')}${childrenOf(node, 'm:e').map(render).join(setting('m:sepChr', '|'))}${setting('m:endChr', ')')}`
    case 'm:func':
      return `${inside('m:fName')} ${inside('m:e')}`
    case 'm:limLow':
      return `${inside('m:e')}_${grouped('m:lim')}`
    case 'm:limUpp':
      return `${inside('m:e')}^${grouped('m:lim')}`
    case 'm:m':
      return `[${childrenOf(node, 'm:mr')
        .map((row) => childrenOf(row, 'm:e').map(render).join(', '))
        .join('; ')}]`
    case 'm:eqArr':
      return childrenOf(node, 'm:e').map(render).join('; ')
    default:
      return /Pr$/.test(node.name) ? '' : node.children.map(render).join('')
  }
}

function childrenOf(node: MathNode, name: string): MathNode[] {
  return node.children.filter((child) => child.name === name)
}

/** A property of an element: `<m:naryPr><m:chr m:val="∑"/>`. */
function settingOf(node: MathNode, name: string): string | undefined {
  const properties = node.children.find((child) => child.name === `${node.name}Pr`)
  const property = properties?.children.find((child) => child.name === name)
  return property && (/\bm:val="([^"]*)"/.exec(property.attributes)?.[1] ?? '')
}

function group(text: string): string {
  return /^(?:[\p{L}\p{N}.]*|\([^()]*\)|&\w+;|.)$/u.test(text) ? text : `(${text})`
}

function mathScriptOf(mark: string, text: string): string {
  return text === '' ? '' : `${mark}${text}`
}
