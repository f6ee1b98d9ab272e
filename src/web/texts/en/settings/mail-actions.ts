import { count } from '../count.ts'

/** Actions on mail other than reading and answering it. */
export const mailHandling = {
  picked: {
    bar: 'Selected conversations',
    count: (n: number) => `${n} selected`,
    here: 'Selected',
    clear: 'Clear the selection',
  },
  large: {
    titles: {
      'mail.archive': (n: number) => `Archive ${n} conversations?`,
      'mail.back': (n: number) => `Bring back ${n} conversations?`,
      'mail.later': (n: number) => `Put off ${n} conversations?`,
      'mail.read': (n: number) => `Mark ${n} conversations?`,
      'mail.trash': (n: number) => `Move ${n} conversations to the trash?`,
    },
    actions: {
      'mail.archive': 'Archive',
      'mail.back': 'Bring back',
      'mail.later': 'Put off',
      'mail.read': 'Mark',
      'mail.trash': 'Move to the trash',
    },
    label: {
      add: {
        title: (name: string, n: number) => `Put the label ${name} on ${n} conversations?`,
        action: 'Add the label',
      },
      remove: {
        title: (name: string, n: number) => `Take the label ${name} off ${n} conversations?`,
        action: 'Remove the label',
      },
    },
    ofAccount: (address: string, n: number) => `${address} (${n})`,
    otherAccount: 'another account',
    text: (accounts: readonly string[], unchanged: number) =>
      [
        accounts.length === 0 ? 'None of them would change.' : `In ${accounts.join(', ')}.`,
        ...(unchanged > 0 ? [`${unchanged} of those selected would stay as they are.`] : []),
        'It can be undone.',
      ].join(' '),
  },
  labels: {
    label: 'Labels of the conversation',
    labelOfAll: 'Labels of the selected conversations',
    create: (name: string) => `Create “${name}”`,
    added: (name: string, subject: string) => `Label ${name} added: ${subject}`,
    removed: (name: string, subject: string) => `Label ${name} removed: ${subject}`,
    here: 'Labels',
    more: (n: number) => `+${n}`,
  },
  files: {
    saveTo: 'Save to',
    save: 'Save here',
    saveOne: (name: string) => `Save ${name} to the drive`,
    saved: (name: string, folder: string) => `Saved in ${folder}: ${name}`,
    savedAs: 'In the drive:',
  },
  outbox: {
    title: 'Outbox',
    scheduled: 'Goes out later',
    drafts: 'Drafts',
    empty: {
      title: 'The outbox is empty',
      text: 'Mail that is sent later stands here until it goes out, and drafts until they are sent.',
    },
    to: (recipients: string) => (recipients === '' ? 'no recipients yet' : `to ${recipients}`),
    unlessReplied: 'not if someone replies before',
    isSending: 'is being sent',
    edit: 'Edit',
    another: 'Send at another time…',
    cancel: 'Do not send; keep the draft',
    later: 'Send later…',
    set: (subject: string, time: string) => `Goes out ${time}: ${subject}`,
    cancelled: (subject: string) => `Not sent, a draft again: ${subject}`,
  },
  leave: {
    list: 'This conversation comes from a list.',
    title: (sender: string) => `Unsubscribe from ${sender}?`,
    text: 'The sender is asked by the way named in the mail to send you nothing more. This cannot be taken back.',
    archive: 'Also archive this newsletter (up to 200 messages)',
    action: 'Unsubscribe',
    wait: 'Unsubscribing…',
    done: 'The sender was asked to stop. It can take some days until the last mail comes.',
    again: 'You have already unsubscribed from this sender.',
    archived: (n: number) => `${count(n, 'message was', 'messages were')} archived.`,
    failed: (n: number) => `${count(n, 'message', 'messages')} could not be archived.`,
    byHand: 'Open this page and unsubscribe there:',
    rule: 'Make a rule that sorts their mail',
  },
}
