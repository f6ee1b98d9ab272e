import { type HtmlNode, attribute, element, someNode, htmlTextNode, textIn } from './hast.ts'

// Marks inserted into the text between the author's own words, quotations and the signature. They are private-use
// Unicode characters, which are first removed from incoming messages.
export const quoteStart = '\uE010'
export const quoteEnd = '\uE011'
export const signatureStart = '\uE012'
export const signatureEnd = '\uE013'
export const divisionMarks = /[\uE010-\uE013]/g

const quoteClasses =
  /(^|\s)(x_)?(gmail_quote|gmail_quote_container|gmail_extra|yahoo_quoted|protonmail_quote|tutanota_quote|zmail_extra|moz-cite-prefix|isReplyContent|OutlookMessageHeader|ms-outlook-mobile-reference-message|mail-quote-collapse|quoted-content)(\s|$)/
const quoteIds =
  /^(x_)*(divRplyFwdMsg|OLK_SRC_BODY_SECTION|replySplit|appendonsend|mail-editor-reference-message-container|reply-intro|isForwardContent)$/
const signatureClasses =
  /(^|\s)(x_)?(gmail_signature|moz-signature|protonmail_signature_block|tutanota_signature|ms-outlook-mobile-signature|zimbra_signature)(\s|$)/
const signatureIds = /^(x_)*(Signature|ms-outlook-mobile-signature|AppleMailSignature)$/
export const forwardedHeading =
  /^[\s>*_-]*(-{2,}\s*)?(begin forwarded message|forwarded message|weitergeleitete nachricht|anfang der weitergeleiteten (nachricht|e-mail)|message transféré|message transmis|début du message (réexpédié|transféré)|mensaje reenviado|inicio del mensaje reenviado|messaggio inoltrato|inizio messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht|begin doorgestuurd bericht|vidarebefordrat meddelande|videresendt besked|przekazana wiadomość|пересылаемое сообщение|пересланное сообщение|転送メッセージ|转发的邮件)/iu

/** The tree with marks around quotations and the signature. */
export function markDivisions(root: HtmlNode): HtmlNode {
  const state = { ended: false }
  return { ...root, children: markedChildren(root, state) }
}

function markedChildren(node: HtmlNode, state: { ended: boolean }): HtmlNode[] {
  return (node.children ?? []).flatMap((child) => {
    if (child.type !== 'element' || state.ended) return [child]
    if (beginsQuotedRest(child)) {
      // Everything from here to the end of the message is quoted, however it is nested.
      if (forwardedHeading.test(textIn(child).trim())) return [child]
      state.ended = true
      return [markerParagraph(quoteStart), child]
    }
    if (isQuote(child))
      return forwardedHeading.test(textIn(child).trim())
        ? [child]
        : [markerParagraph(quoteStart), child, markerParagraph(quoteEnd)]
    if (isSignature(child))
      return someNode(child, (htmlNode) => htmlNode !== child && isQuote(htmlNode))
        ? [{ ...child, children: markedChildren(child, state) }]
        : [markerParagraph(signatureStart), child, markerParagraph(signatureEnd)]
    return [{ ...child, children: markedChildren(child, state) }]
  })
}

function markerParagraph(character: string): HtmlNode {
  return element('p', [htmlTextNode(character)])
}

function isQuote(node: HtmlNode): boolean {
  if (node.tagName === 'blockquote')
    return attribute(node, 'type') === 'cite' || quoteClasses.test(attribute(node, 'className'))
  return (
    quoteClasses.test(attribute(node, 'className')) ||
    attribute(node, 'name') === 'quoted-content' ||
    attribute(node, 'dataMarker') === '__QUOTED_TEXT__'
  )
}

/** True for a node that begins the quoted message without enclosing it, as in Outlook and similar programs. */
function beginsQuotedRest(node: HtmlNode): boolean {
  if (quoteIds.test(attribute(node, 'id')) || attribute(node, 'dataMarker') === '__DIVIDER__')
    return true
  const style = attribute(node, 'style').toLowerCase()
  return (
    node.tagName === 'div' &&
    /border:\s*none;?\s*border-top:\s*solid\s+(#b5c4df|#e1e1e1|windowtext)/.test(style) &&
    headerWords.test(textIn(node))
  )
}

const headerWords = /\b(from|von|de|da|van|från|fra|od|от)\s*:/iu

function isSignature(node: HtmlNode): boolean {
  return (
    signatureClasses.test(attribute(node, 'className')) ||
    signatureIds.test(attribute(node, 'id')) ||
    attribute(node, 'dataSmartmail') === 'gmail_signature'
  )
}
