import { omitNullish } from '../../kernel/present.ts'
import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server'
import type { App } from '../../operations/app.ts'
import { completionEntries, type Document } from '../../operations/documents.ts'
import { invalid, type Refusal } from '../../kernel/refusal.ts'
import { documentsFor, templateOf } from './addresses.ts'
import type { Caller } from '../caller.ts'
import type { MessageInfo } from '../messages.ts'
import { removeInvisible } from '../../kernel/text/invisible.ts'
import { promptFor } from './prompts.ts'
import { readInOneCall, requestFor } from '../requests.ts'

/** Maximum number of completions that the protocol allows. */
const maxCompletions = 100
const maxValueLength = 200

/** Answers completion/complete: keys of visible items, for the id in an address and for prompt arguments. */
export async function complete(
  app: App,
  caller: Caller,
  params: CompleteRequestParams,
  message: MessageInfo = {},
): Promise<CompleteResult> {
  const matches = await readInOneCall(
    app,
    caller,
    requestFor(caller, 'completion/complete', params, message),
    async (ctx) => {
      const { value } = params.argument
      if (value.length > maxValueLength)
        throw invalid('argument.value', `must have at most ${maxValueLength} characters.`)
      const document = documentFor(app, caller, params)
      return document
        ? completionEntries(ctx, document, value, maxCompletions)
        : { entries: [], more: false }
    },
  )
  const values = matches.entries.map((entry) => removeInvisible(entry.key))
  return {
    completion: omitNullish({
      values,
      hasMore: matches.more,
      total: matches.more ? undefined : values.length,
    }),
  }
}

/**
 * Document kind whose keys complete an argument; undefined if it is free text, or if its documents are closed to the
 * caller.
 */
function documentFor(
  app: App,
  caller: Caller,
  { ref, argument }: CompleteRequestParams,
): Document | undefined {
  const documents = documentsFor(app, caller)
  if (ref.type === 'ref/prompt') {
    const matchedArgument = promptFor(app, caller, ref.name).arguments.find(
      (promptArgument) => promptArgument.name === argument.name,
    )
    if (!matchedArgument)
      throw unknownReference('argument.name', `the prompt ${ref.name} has no such argument.`)
    return documents.find((item) => item.name === matchedArgument.completes)
  }
  const document = documents.find((item) => templateOf(item) === ref.uri)
  if (!document) throw unknownReference('ref.uri', 'unknown resource template.')
  if (argument.name !== 'id')
    throw unknownReference('argument.name', 'this template has one variable, id.')
  return document
}

function unknownReference(field: string, message: string): Refusal {
  return invalid(field, message)
}
