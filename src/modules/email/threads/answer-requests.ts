import { languageOf } from '../../../search/languages/language.ts'
import { baseSubject } from '../messages/subjects.ts'

/** Characters read at the start and at the end of a text. */
const maxCharacters = 10_000

/** Maximum ASCII words of a text that counts as a statement without detecting its language ("Thanks, will do."). */
const maxShortWords = 6

/** Links, code and quoted lines: their question marks are not questions. */
const excludedText =
  /```[\s\S]*?(?:```|(?![\s\S]))|`[^`\n]*`|\]\([^)\n]{0,2000}\)|\b[a-z]+:\/\/\S+|^[ \t]*>.*$/gimu

/** Closing phrases and courtesies that request nothing. */
const courtesyPhrases = [
  /\b(?:please|kindly) (?:(?:do )?(?:find|see|note|accept|ignore|disregard)|(?:do not|don['’]t) hesitate|feel free|let (?:me|us) know if you (?:have|need|want))\b/giu,
  /\b(?:let (?:me|us) know|(?:please )?(?:call|contact|write|reach out)(?: to)? (?:me|us)) if (?:you (?:have|need|want)|(?:there (?:is|are) )?any)\b/giu,
  /\bbitte (?:sch(?:ö|oe)n|sehr|gern|beachte|entschuldig|z(?:ö|oe)ger)\p{L}*/giu,
  /\b(?:bei|f(?:ü|ue)r) (?:r(?:ü|ue)ck|weitere\p{L}* )?fragen\b[^.!?\n]*/giu,
  /\b(?:veuillez|je (?:vous|te) prie|nous vous prions)(?: de| d['’])? ?(?:agréer|recevoir|trouver|croire|noter|excuser)/giu,
  /\bn['’]hésite[zs]? pas\b/giu,
  /\bno (?:dude|dudes) en\b|\bnon esit(?:are|i|ate) a\b|\bnão hesite em\b|\baarzel niet\b|\btveka inte\b/giu,
]

/** A question mark that ends a sentence. */
const questionMark = /[?؟](?=$|[\s)\]}"'”’»“!?.*_~])|[？¿]/mu

/** Requests without a question mark, by language. */
const requests: Readonly<Record<'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl' | 'sv', RegExp[]>> =
  {
    en: [
      /\b(?:please|pls|plz|kindly)\b/iu,
      /\b(?:can|could|would|will) (?:you|one of you)\b(?! (?:see|find) (?:attached|enclosed))/iu,
      /\blet (?:me|us) know\b|\bget back to (?:me|us)\b|\bwould you mind\b/iu,
      /\b(?:need|require) (?:you|your)\b|\b(?:want|like|ask|expect) you to\b|\bneed (?:\p{L}+ ){1,6}from you\b/iu,
      /\b(?:appreciate|be grateful|be (?:great|nice|helpful|good|lovely) if you)\b/iu,
      /\bwait(?:ing)? (?:for|on) (?:you|your|a (?:reply|decision)|an answer)\b/iu,
      /\blook(?:ing)? forward to (?:your|hearing|an? (?:answer|reply))\b/iu,
      /\b(?:wonder(?:ing)? (?:if|whether|when|what|how)|(?:gentle|friendly|quick) reminder|thanks in advance|what do you think|any (?:news|update|updates|thoughts))\b/iu,
      /(?:^|[.!?:;,\n]) *(?:so,? )?(?:send|give|tell|call|check|review|confirm|reply|answer|share|forward|sign|return|choose|pick|decide|remind|approve) (?:me|us|the|this|that|it|them|your|by|back|whether|if|which|when)\b/iu,
    ],
    de: [
      /\bbitten?\b|\bum (?:deine|ihre|eure|eine|kurze) (?:antwort|rückmeldung|bestätigung|freigabe|prüfung)/iu,
      /\b(?:kannst|könntest|würdest|magst|möchtest|willst|hättest|hast) du\b|\b(?:könnt|könntet|würdet|mögt|wollt|habt) ihr\b|\b(?:können|könnten|würden|möchten|wollen) sie\b/iu,
      /\b(?:gib|gebt|geben sie|sag|sagt|sagen sie|schick|schicke|schickt|schicken sie|send|sende|sendet|senden sie) (?:mir|uns)\b/iu,
      /\b(?:melde? dich|meldet euch|melden sie sich)\b|\b(?:gib|gebt|geben sie)(?: \p{L}+){0,2} bescheid\b/iu,
      /\bwarten?(?: \p{L}+){0,2} auf (?:dich|sie|euch|deine|ihre|eure|eine|die|rückmeldung|antwort)/iu,
      /\bfreue[n]? (?:mich|uns)(?: \p{L}+){0,2} (?:auf|über) (?:deine|ihre|eure|eine|die)(?: \p{L}+){0,2} (?:antwort|rückmeldung|meinung|zusage|bestätigung)/iu,
      /\b(?:brauche|bräuchte|benötige|benötigen|brauchen|bräuchten|hätte|hätten)(?: \p{L}+){0,5} (?:von (?:dir|ihnen|euch)|deine?n?|ihre?n?|eure?n?|gern)\b/iu,
      /\bw(?:ä|ae)re?n?\b(?: \p{L}+){0,3} (?:schön|nett|super|toll|hilfreich|dankbar|lieb)\b|\b(?:wollte|möchte)(?: \p{L}+){0,2} (?:nach)?fragen\b|\bdank(?:e)? im voraus\b|\bwas (?:meinst|hältst|denkst)\b/iu,
    ],
    fr: [
      /\b(?:s['’]il (?:vous|te) pla[iî]t|svp|stp|veuillez|merci d['’]avance)(?!\p{L})/iu,
      /\bmerci (?:de|d['’]) ?(?:bien vouloir|(?:(?:me|m['’]|nous|le|la|les|l['’]|vous|y) ?)*(?!votre|notre)\p{L}+(?:er|ir|re)\b)/iu,
      /\b(?:pouvez|pourriez|voulez|voudriez|avez|auriez|savez)-vous\b|\b(?:peux|pourrais|veux|voudrais|as|aurais|sais)-tu\b|\best-ce qu/iu,
      /\b(?:dites|dis|envoyez|envoie|tenez|tiens|faites|fais|rappelez|rappelle|donnez|donne|confirmez|confirme|répondez|réponds)-(?:moi|nous|le|la|les)\b/iu,
      /\b(?:attends|attendons|attente de|besoin de) (?:votre|vos|ton|ta|tes)\b|\bje (?:vous|te) (?:prie|demande|serais)\b|\bqu['’]en (?:penses-tu|pensez-vous)/iu,
    ],
    es: [
      /\bpor favor\b|\bgracias de antemano\b|\b(?:podrías?|podríais|podrían|puedes|podéis)\b/iu,
      /\b(?:avísa|di|díga|envía|envíe|manda|mánda|confírma|confírme|responde|respónda|llám[ae])(?:me|nos)\b/iu,
      /\b(?:espero|esperamos|a la espera de) (?:tu|su|vuestra|una) (?:respuesta|confirmación)|\bnecesit(?:o|amos) (?:que|tu|su|vuestr)/iu,
    ],
    it: [
      /\bper (?:favore|cortesia|piacere)\b|\bgrazie in anticipo\b|\b(?:potresti|potrebbe|potreste|potete|puoi)\b/iu,
      /\b(?:fammi|facci|fatemi|mi faccia|ci faccia) sapere\b|\b(?:manda|invia|conferma|rispondi|dim|chiama)(?:mi|ci)\b/iu,
      /\b(?:attendo|attendiamo|aspetto|in attesa di) (?:la |una |il |un )?(?:tu[ao]|su[ao]|vostr[ao]|risposta|conferma)|\bho bisogno (?:che|del tuo|della tua|del suo|della sua)/iu,
    ],
    pt: [
      /\bpor favor\b|\bobrigad[oa] desde já\b|\b(?:poderia|poderiam|podia|podias|você pode|podes|consegues?)(?!\p{L})/iu,
      /\b(?:me|nos) (?:avise|avisa|diga|diz|envie|envia|mande|manda|confirme|confirma)\b|\b(?:avise|avisa|diga|diz|envie|envia|mande|manda|confirme|confirma)-(?:me|nos)\b/iu,
      /\b(?:aguardo|aguardamos|aguardar) (?:a |uma |o |um )?(?:tua|sua|vossa|resposta|confirmação|retorno|seu|teu)|\bpreciso (?:que|da tua|da sua|do teu|do seu)/iu,
    ],
    nl: [
      /\b(?:alsjeblieft|alstublieft|a\.?u\.?b)\b|\balvast bedankt\b|\b(?:kun|kan|wil|zou) (?:je|jij|u)\b|\b(?:kunt|wilt) u\b|\b(?:kunnen|willen|zouden) jullie\b/iu,
      /\blaat(?: het)? (?:me|mij|ons|even)\b|\bstuur(?: je)? (?:me|mij|ons|het|de)\b|\b(?:ik|wij|we) (?:hoor|horen|ontvang|ontvangen) graag\b|\bgraag (?:je|jouw|uw|jullie|een) (?:reactie|antwoord|bevestiging)/iu,
      /\bwacht(?:en)?(?: nog)? op (?:je|jouw|uw|jullie|een)\b|\bwat (?:vind|denk) (?:je|jij)\b/iu,
    ],
    sv: [
      /(?<!\p{L})(?:snälla|vänligen \p{Ll}|tack på förhand|(?:kan|skulle|vill) (?:du|ni)\b)/iu,
      /\b(?:hör av (?:dig|er)|meddela (?:mig|oss)|återkom(?:ma)?|skicka (?:mig|oss|gärna)|säg till)\b|\b(?:väntar på|behöver) (?:ditt|din|ert|er)\b|\bvad (?:tycker|tror) (?:du|ni)\b/iu,
    ],
  }

/**
 * Whether the owner's message asks for an answer, by a question or request. Undefined if unknown: no text, or a
 * language without patterns here. `text`: the author's own words, without quotes and signature.
 */
export function asksForAnswer(subject: string, text: string): boolean | undefined {
  const { subject: title, isAnswer } = baseSubject(subject)
  const readable = text.replace(/\r\n?/gu, '\n')
  const body =
    readable.length <= 2 * maxCharacters
      ? readable
      : `${readable.slice(0, maxCharacters)}\n${readable.slice(-maxCharacters)}`
  const authoredText = [isAnswer ? '' : title, body]
    .join('\n')
    .normalize('NFC')
    .replace(excludedText, ' ')
  if (questionMark.test(authoredText)) return true
  const withoutCourtesies = courtesyPhrases.reduce(
    (rest, formula) => rest.replace(formula, ' '),
    authoredText,
  )
  if (
    Object.values(requests).some((some) => some.some((request) => request.test(withoutCourtesies)))
  )
    return true
  if (body.trim() === '') return undefined
  return languageOf('', body) !== undefined || isShortStatement(body) ? false : undefined
}

function isShortStatement(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? []
  return words.length <= maxShortWords && words.every((word) => /^[a-zäöüß]+$/iu.test(word))
}
