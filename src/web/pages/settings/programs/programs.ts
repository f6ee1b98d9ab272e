export const programsPath = '/web/oauth/clients'
