// Splits German compounds. No dictionary knows the words of a workspace, so a word is split wherever the sounds allow
// German words to end and begin. Wrong parts do no harm, because they are never searched.

/** Minimum letters of a part. */
const leastPart = 5
/** Minimum letters before the first split, and after the last. */
const leastBefore = 3
const leastAfter = 4
const maxParts = 12

/** A part may start with consonants, or with one of the vowels common at the start of German nouns. */
const begins =
  /^(?:[bdfghjklmnprstvwz][aeiouy]|(?:bl|br|dr|fl|fr|gl|gr|kl|kn|kr|pf|ph|pl|pr|qu|sch|schl|schm|schn|schr|schw|sk|sp|spr|st|str|th|tr|zw)[aeiou]|ca|co|a[bdkmnlru]|auf|aus|ein|ent|er[bfgklz]|ub|um|un[dft]|ur|or[dgt]|in[fhst]|ob)/
/** Endings of a part, including linking letters. */
const ends =
  /[aeiou](?:[eo]|[bdfgklmnprstxz]|ch|ck|sch|[lmnr]?f|[lr][bdgkmn]|n[dgk]|mp|[fklnprs]t|cht|rst|bst|nst|ft|[lnrt]z|[kst]s|ll|mm|nn|rr|tt|ff|hr|hn|hl)s?$|[^aeiou][eo]$/
/** Prefixes do not form compounds. */
const prefix =
  /^(?:un)?(?:ver|vor|ent|zer|emp|miss|aus|auf|ein|mit|nach|bei|weg|los|hin|her|uber|unter|durch|zuruck|wieder|gegen|inter|kon|pro|pra|per|zusammen|be|ge|er|an|ab|zu|um)$/
/** Suffixes are not parts, and a linking s does not start the second part. */
const isNoBeginning =
  /^(?:s[aeou]|schaft|haft|keit|heit|isch|lich|lein|chen|sten|samen?|[a-z]{0,3}ung|[a-z]{0,2}(?:ier|ation|ition|tion|ismus|itat))/
/** A prefix belongs to the following word. */
const unfinished = /(?<=.{3})(?:ver|pro|ab|auf)$/
/** Linking letters between two parts. */
const joint = /(?<=.{4})(?:(?<=[^s])s|es|en|n)$/

/** The possible parts of a German word, with five letters or more; if there are many, those at its ends. */
export function compoundPartsOf(word: string): string[] {
  const parts = new Set<string>()
  const add = (part: string) => {
    if (part.length >= leastPart && parts.size < maxParts) parts.add(part)
  }
  const places = placesOf(word)
  for (const at of places) {
    add(word.slice(at))
    add(withoutJoint(word.slice(0, at)))
  }
  for (const [i, from] of places.entries())
    for (const to of places.slice(i + 1)) add(withoutJoint(word.slice(from, to)))
  return [...parts]
}

function withoutJoint(part: string): string {
  const bare = part.replace(joint, '')
  return bare.length >= leastPart ? bare : part
}

function placesOf(word: string): number[] {
  const places: number[] = []
  for (let at = leastBefore; at <= word.length - leastAfter; at++) {
    const previous = places.findLast((place) => at - place >= leastBefore) ?? 0
    const [before, after] = [word.slice(previous, at), word.slice(at)]
    if (begins.test(after) && !isNoBeginning.test(after) && ends.test(before)) {
      if (!unfinished.test(before) && !prefix.test(word.slice(0, at))) places.push(at)
    }
  }
  return places
}
