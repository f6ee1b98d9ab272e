import { sendsOutbound, OutboundDetected } from '../approvals/approvals.ts'
import type { Entry } from '../entry.ts'
import type { Rows } from '../../records/rows.ts'
import { operationOf, type Arguments, type Call } from './call.ts'

/** True if these arguments make the operation send something and the key may not do that without approval. */
export function needsApproval(call: Call, entry: Entry, args: Arguments): boolean {
  if (!sendsOutbound(entry, args)) return false
  call.isOutbound = true
  return mustBeApprovedToSend(call, entry)
}

/** True if the call must be approved before it sends anything. Counts it toward the sending limit of its key. */
function mustBeApprovedToSend(call: Call, { operation: { name } }: Entry): boolean {
  const { app, actor, request, admission } = call
  if (call.dryRun || request.released) return false
  if (request.cause?.held) return true
  if (!actor.key) return false
  return (
    actor.key.hold_outbound ||
    (admission !== undefined && app.limits.needsSendApproval(actor, admission, name))
  )
}

/**
 * Checks an operation that does not declare that it sends, such as one that restores a scheduled mail, by its changed
 * rows.
 * @throws SendsWithin
 */
export function checkOutboundRows(call: Call, rows: Rows): void {
  const entry = operationOf(call)
  if (rows.changesOutside) {
    call.changesOutside = true
    throw new OutboundDetected(entry.operation.name)
  }
  if (rows.sends && !call.isOutbound && mustBeApprovedToSend(call, entry))
    throw new OutboundDetected(entry.operation.name)
}
