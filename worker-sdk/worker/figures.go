package worker

// HandlerStats are the figures of one handler since the process began.
type HandlerStats struct {
	Running int `json:"running"`
}
