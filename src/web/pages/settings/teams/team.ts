import type { Output } from '../../../api/client.ts'

export type Team = Output<'list_teams'>['items'][number]
