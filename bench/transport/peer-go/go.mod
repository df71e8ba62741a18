module example.com/peer-go

go 1.26

require (
	k8s.io/apimachinery v0.36.4
	k8s.io/client-go v0.36.4
)
