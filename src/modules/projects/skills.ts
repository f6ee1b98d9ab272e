import type { Skill } from '../../operations/skills.ts'

/** Skill for the weekly report of a project. */
export const reporting: Skill = {
  name: 'weekly-report',
  when: 'the person asks for the weekly report or the status of a project',
  reads: [
    '`get_project_summary` with `from` and `to`: the last seven days in the time zone of the person',
    '`list_tasks` with `status_category: ["done"]` and `updated_after`: what was closed in that time',
  ],
  steps: [
    'Health in one word, with a one-sentence reason.',
    'Done this week, grouped by purpose.',
    'Late and blocked work, each with the person responsible and what would unblock it.',
    'Next week.',
    'Risks, and decisions needed.',
  ],
  rules: [
    'Keep each section as short as possible, refer to tasks by key, and report figures exactly. Omit anything the data does not show.',
  ],
  acts: [{ operation: 'post_project_update', for: 'publish the report once it is approved' }],
}
