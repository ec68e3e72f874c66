// Loaded before the container's program: it too is held to its role.

import { enterRole } from './role-enforcement.ts'

enterRole('container')
