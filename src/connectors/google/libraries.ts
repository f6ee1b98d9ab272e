// Google's libraries, loaded on first use: they are CommonJS, whose exports a bundle cannot resolve in a dynamic
// import.

export { drive } from '@googleapis/drive'
export { CodeChallengeMethod, OAuth2Client } from 'google-auth-library'
