// Splits German compounds. No dictionary knows the words of a workspace, so a word is split wherever the sounds allow
// German words to end and begin. Wrong parts do no harm, because they are never searched.

/** Minimum letters of a part. */
const minPartLength = 5
/** Minimum letters before the first split, and after the last. */
const minLengthBefore = 3
const minLengthAfter = 4
const maxParts = 12

/** A part may start with consonants, or with one of the vowels common at the start of German nouns. */
const partStart =
  /^(?:[bdfghjklmnprstvwz][aeiouy]|(?:bl|br|dr|fl|fr|gl|gr|kl|kn|kr|pf|ph|pl|pr|qu|sch|schl|schm|schn|schr|schw|sk|sp|spr|st|str|th|tr|zw)[aeiou]|ca|co|a[bdkmnlru]|auf|aus|ein|ent|er[bfgklz]|ub|um|un[dft]|ur|or[dgt]|in[fhst]|ob)/
/** Endings of a part, including linking letters. */
const partEnd =
  /[aeiou](?:[eo]|[bdfgklmnprstxz]|ch|ck|sch|[lmnr]?f|[lr][bdgkmn]|n[dgk]|mp|[fklnprs]t|cht|rst|bst|nst|ft|[lnrt]z|[kst]s|ll|mm|nn|rr|tt|ff|hr|hn|hl)s?$|[^aeiou][eo]$/
/** Prefixes do not form compounds. */
const prefix =
  /^(?:un)?(?:ver|vor|ent|zer|emp|miss|aus|auf|ein|mit|nach|bei|weg|los|hin|her|uber|unter|durch|zuruck|wieder|gegen|inter|kon|pro|pra|per|zusammen|be|ge|er|an|ab|zu|um)$/
/** Suffixes are not parts, and a linking s does not start the second part. */
const invalidStart =
  /^(?:s[aeou]|schaft|haft|keit|heit|isch|lich|lein|chen|sten|samen?|[a-z]{0,3}ung|[a-z]{0,2}(?:ier|ation|ition|tion|ismus|itat))/
/** A prefix belongs to the following word. */
const openPrefix = /(?<=.{3})(?:ver|pro|ab|auf)$/
/** Linking letters between two parts. */
const linkingLetters = /(?<=.{4})(?:(?<=[^s])s|es|en|n)$/

/** The possible parts of a German word, with five letters or more; if there are many, those at its ends. */
export function compoundPartsOf(word: string): string[] {
  const parts = new Set<string>()
  const add = (part: string) => {
    if (part.length >= minPartLength && parts.size < maxParts) parts.add(part)
  }
  const places = splitPositionsOf(word)
  for (const at of places) {
    add(word.slice(at))
    add(withoutLinkingLetters(word.slice(0, at)))
  }
  for (const [i, from] of places.entries())
    for (const to of places.slice(i + 1)) add(withoutLinkingLetters(word.slice(from, to)))
  return [...parts]
}

function withoutLinkingLetters(part: string): string {
  const stripped = part.replace(linkingLetters, '')
  return stripped.length >= minPartLength ? stripped : part
}

function splitPositionsOf(word: string): number[] {
  const places: number[] = []
  for (let at = minLengthBefore; at <= word.length - minLengthAfter; at++) {
    const previous = places.findLast((place) => at - place >= minLengthBefore) ?? 0
    const [before, after] = [word.slice(previous, at), word.slice(at)]
    if (partStart.test(after) && !invalidStart.test(after) && partEnd.test(before)) {
      if (!openPrefix.test(before) && !prefix.test(word.slice(0, at))) places.push(at)
    }
  }
  return places
}
