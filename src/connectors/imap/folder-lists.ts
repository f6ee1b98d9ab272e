import type { ImapFlow, ListResponse, StatusQuery } from 'imapflow'
import { MailFailure } from './failures.ts'

/** Limits on a folder list: far more than is synchronized, and little enough to be held in memory. */
const maxListed = 200_000
const maxListBytes = 32 * 2 ** 20

interface Untagged {
  attributes?: ({ value?: unknown } | unknown[])[]
}

type Handler = (untagged: Untagged) => Promise<void>

interface Commands {
  run(command: string, ...args: unknown[]): Promise<unknown>
  exec(
    command: string,
    args: unknown,
    options?: { untagged?: Record<string, Handler> },
  ): Promise<unknown>
}

/**
 * All folders, with their statuses (LIST-STATUS) if requested. Unlike the library, it does not query missing statuses
 * one by one, nor keep an unlimited number of folders.
 * @throws MailFailure unreadable
 */
export async function listFolders(
  flow: ImapFlow,
  statusQuery: StatusQuery | undefined,
): Promise<ListResponse[]> {
  const commands = flow as unknown as Commands
  const { run, exec } = commands
  let responseCount = 0
  let length = 0
  const withLimits =
    (handler: Handler): Handler =>
    async (untagged) => {
      responseCount++
      length += attributesLength(untagged)
      if (exceedsLimits()) return flow.close()
      return handler(untagged)
    }
  const exceedsLimits = () => responseCount > 2 * maxListed || length > maxListBytes // a folder and its status, or its subscription
  commands.run = async (command, ...args) =>
    command === 'STATUS' ? false : run.call(flow, command, ...args)
  commands.exec = (command, args, options = {}) => {
    const untagged = Object.entries(options.untagged ?? {}).map(([name, handler]) => [
      name,
      withLimits(handler),
    ])
    return exec.call(flow, command, args, { ...options, untagged: Object.fromEntries(untagged) })
  }
  try {
    const folders = await flow.list(statusQuery ? { statusQuery } : undefined)
    return folders.map((row) => ({ ...row, status: row.status || undefined }) as ListResponse)
  } catch (error) {
    throw exceedsLimits()
      ? new MailFailure(
          'unreadable',
          'The mail server lists more folders than there can be.',
          error,
        )
      : error
  } finally {
    delete (commands as Partial<Commands>).run
    delete (commands as Partial<Commands>).exec
  }
}

function attributesLength({ attributes = [] }: Untagged): number {
  return attributes.reduce(
    (sum: number, attribute) =>
      sum + String((attribute as { value?: unknown } | null)?.value ?? '').length,
    0,
  )
}
