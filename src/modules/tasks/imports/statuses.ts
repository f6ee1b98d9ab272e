import type { TaskRecord } from './records.ts'

// Common status names and their categories, in the languages that exports often use.

type Category = TaskRecord['category']

const cancelled =
  /^(cancell?ed|will not (do|fix)|duplicate|rejected|abandoned|archived|declined|obsolete|abgebrochen|verworfen|abgelehnt|annule|cancelado|annullato|geannuleerd)\b|\b(no longer|not|nicht mehr|nicht) (an? )?(needed|required|necessary|relevant|planned|applicable|bug|doing|reproducible|benotigt|notig|relevant|geplant)\b|^no (action|fix)\b/
const done =
  /^(done|closed|completed?|resolved|finished|shipped|released|erledigt|fertig|abgeschlossen|geschlossen|beendet|gelost|termine|fait|acheve|hecho|terminado|completado|fatto|completato|klaar|gereed|voltooid|concluido)\b/
const inProgress =
  /\b(progress|doing|started|review|testing|qa|wip|begonnen|gestartet|angefangen|in arbeit|in bearbeitung|in umsetzung|in prufung|laufend|en cours|en curso|en progreso|em andamento|in corso|bezig|in uitvoering)\b|^(nearly|almost|partially|partly|half) /
const backlog = /^(backlog|icebox|ideas?|someday|later|triage)\b/
const todo =
  /^(to ?do|open|new|ready|selected|next|planned|pending|offen|neu|geplant|noch offen|a faire|por hacer|pendiente|da fare|te doen|a fazer|un(started|finished|done|resolved|assigned|erledigt)|incomplete)\b/

/** `not yet in progress`, `no longer blocked`, `noch nicht begonnen`: the last word is negated. */
const negation =
  /\b(?:not|never|no longer|no|non|pas|nicht|keine?n?|niet|geen|sin|nao)(?: (?:yet|in|be|been|being|currently|fully|mehr|noch|im|en|em|longer|on))* (\p{L}+)/gu
/** Words whose negation means that work has not started or not ended. */
const negatable =
  /^(start|begin|begun|progress|work|activ|doing|done|complet|finish|resolv|closed|ready|review|test|block|wait|hold|pick|assign|begonnen|gestart|angefangen|erledigt|fertig|abgeschlossen|arbeit|bearbeit|blockiert|wartend|commence|demarre|cours|termine|fait|acheve|empeza|inicia|hecho|curso|klaar|voltooid|gereed|inizia|fatto|corso|concluido|andamento)/

/** `to be started`, `yet to begin`, `zu erledigen`: still to come. */
const stillToCome = /\b(?:yet to(?: be)?|to be|noch zu|zu) (\p{L}+)/gu
/** Final steps of the work: a task that waits for them is in progress. */
const lastSteps = /^(review|test|verif|approv|check|deploy|releas|merg|pruf|test)/

/** Infers the category from a status name; undefined if the name is unknown. */
export function categoryOf(status: string): Category {
  const name = foldStatusName(status)
  if (cancelled.test(name)) return 'cancelled'
  let impliedCategory: Category
  const rest = name
    .replaceAll(negation, (_, word: string) => {
      if (negatable.test(word)) impliedCategory = 'todo'
      return ' '
    })
    .replaceAll(stillToCome, (_, word: string) => {
      impliedCategory = lastSteps.test(word) ? 'in_progress' : 'todo'
      return ' '
    })
    .trim()
  return meaningOf(rest) ?? impliedCategory
}

function meaningOf(name: string): Category {
  if (done.test(name)) return 'done'
  if (inProgress.test(name)) return 'in_progress'
  if (backlog.test(name)) return 'backlog'
  return todo.test(name) ? 'todo' : undefined
}

/** Lower case, without accents and punctuation; `isn't` as `is not`. */
function foldStatusName(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\bwon['’]?t\b/g, 'will not')
    .replaceAll(/n['’]t\b/g, ' not')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
